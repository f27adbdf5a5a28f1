package backbench;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientException;

@RestController
public class GatewayController {

	private final WebClient upstream;

	private final Duration timeout;

	public GatewayController(WebClient upstream, @Value("${upstream.timeout}") Duration timeout) {
		this.upstream = upstream;
		this.timeout = timeout;
	}

	@GetMapping("/gateway/{id}")
	public Mono<ResponseEntity<byte[]>> passOn(@PathVariable String id) {
		return this.upstream.get()
			.uri("/items/{id}", id)
			.exchangeToMono((response) -> response.toEntity(byte[].class))
			// The read time-out would begin again with each byte.
			.timeout(this.timeout)
			.map((answer) -> ResponseEntity.status(answer.getStatusCode())
				.contentType(answer.getHeaders().getContentType())
				.body(answer.getBody()));
	}

	// A body that breaks off is an IOException as it is.
	@ExceptionHandler({ WebClientException.class, IOException.class })
	@ResponseStatus(HttpStatus.BAD_GATEWAY)
	public void refuse() {
	}

	@ExceptionHandler(TimeoutException.class)
	@ResponseStatus(HttpStatus.GATEWAY_TIMEOUT)
	public void timeOut() {
	}

}
