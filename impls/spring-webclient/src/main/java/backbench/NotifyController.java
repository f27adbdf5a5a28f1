package backbench;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;

@RestController
public class NotifyController {

	private static final Logger logger = LoggerFactory.getLogger(NotifyController.class);

	private final WebClient upstream;

	private final Duration timeout;

	public NotifyController(WebClient upstream, @Value("${upstream.timeout}") Duration timeout) {
		this.upstream = upstream;
		this.timeout = timeout;
	}

	@PostMapping("/notify/{id}")
	@ResponseStatus(HttpStatus.ACCEPTED)
	public void accept(@PathVariable String id) {
		// The answer to the client does not wait for this call. How long a call waits for
		// a connection is a setting of the pool, so the time-out begins after it.
		this.upstream.get()
			.uri("/check/{id}", id)
			// Reads the body to its end.
			.exchangeToMono((answer) -> answer.releaseBody().timeout(this.timeout))
			.subscribe(null, (ex) -> logger.warn("Cannot notify of {}: {}", id, ex.toString()));
	}

}
