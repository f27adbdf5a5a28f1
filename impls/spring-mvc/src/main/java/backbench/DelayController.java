package backbench;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class DelayController {

	@GetMapping("/delay/{ms:\\d+}")
	public Delayed answerLate(@PathVariable long ms) throws InterruptedException {
		Thread.sleep(ms);
		return new Delayed(ms);
	}

	public record Delayed(long delayed) {
	}

}
