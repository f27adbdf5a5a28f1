package backbench;

import java.net.http.HttpTimeoutException;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

@RestController
public class GatewayController {

	private final RestClient upstream;

	public GatewayController(RestClient upstream) {
		this.upstream = upstream;
	}

	@GetMapping("/gateway/{id}")
	public ResponseEntity<byte[]> passOn(@PathVariable String id) {
		return this.upstream.get()
			.uri("/items/{id}", id)
			.exchange((request, response) -> ResponseEntity.status(response.getStatusCode())
				.contentType(response.getHeaders().getContentType())
				.body(response.bodyTo(byte[].class)));
	}

	@ExceptionHandler
	public ResponseEntity<Void> refuse(RestClientException ex) {
		boolean timedOut = ex.contains(HttpTimeoutException.class);
		return ResponseEntity.status(timedOut ? HttpStatus.GATEWAY_TIMEOUT : HttpStatus.BAD_GATEWAY).build();
	}

}
