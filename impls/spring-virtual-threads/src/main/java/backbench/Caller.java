package backbench;

/**
 * Who makes a request, as its verified bearer token says. A handler that takes a caller
 * answers 401 to any other request.
 */
public record Caller(String email) {
}
