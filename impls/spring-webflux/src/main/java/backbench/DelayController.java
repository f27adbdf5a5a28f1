package backbench;

import java.time.Duration;

import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class DelayController {

	@GetMapping("/delay/{ms:\\d+}")
	public Mono<Delayed> answerLate(@PathVariable long ms) {
		return Mono.just(new Delayed(ms)).delayElement(Duration.ofMillis(ms));
	}

	public record Delayed(long delayed) {
	}

}
