package backbench;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.AsyncRestTemplate;

@RestController
@SuppressWarnings("deprecation")
public class NotifyController {

	private static final Logger logger = LoggerFactory.getLogger(NotifyController.class);

	private final AsyncRestTemplate upstream;

	public NotifyController(AsyncRestTemplate upstream) {
		this.upstream = upstream;
	}

	@PostMapping("/notify/{id}")
	@ResponseStatus(HttpStatus.ACCEPTED)
	public void accept(@PathVariable String id) {
		// The answer to the client does not wait for this call, unless the pool's queue
		// is full.
		this.upstream.execute("/check/{id}", HttpMethod.GET, null, new BodyReader(), id)
			// Without a callback, the answer would not be read.
			.addCallback((answer) -> {
			}, (ex) -> logger.warn("Cannot notify of {}: {}", id, ex.toString()));
	}

}
