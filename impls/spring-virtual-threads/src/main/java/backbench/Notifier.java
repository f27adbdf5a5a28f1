package backbench;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

@Service
public class Notifier {

	private static final Logger logger = LoggerFactory.getLogger(Notifier.class);

	private final RestClient upstream;

	public Notifier(RestClient upstream) {
		this.upstream = upstream;
	}

	// The answer to the client does not wait for this call.
	@Async
	public void send(String id) {
		try {
			this.upstream.get().uri("/check/{id}", id).exchange((request, response) -> response.bodyTo(byte[].class));
		}
		catch (RestClientException ex) {
			logger.warn("Cannot notify of {}: {}", id, ex.toString());
		}
	}

}
