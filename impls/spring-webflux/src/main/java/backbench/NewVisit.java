package backbench;

/** What a request asks to be stored; none of it may be absent. */
public record NewVisit(String user, String page, String text) {
}
