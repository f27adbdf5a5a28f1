package backbench;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpMethod;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestTemplate;

@Service
public class Notifier {

	private static final Logger logger = LoggerFactory.getLogger(Notifier.class);

	private final RestTemplate upstream;

	public Notifier(RestTemplate upstream) {
		this.upstream = upstream;
	}

	// The answer to the client does not wait for this call, unless the pool's queue is
	// full.
	@Async
	public void send(String id) {
		try {
			this.upstream.execute("/check/{id}", HttpMethod.GET, null, new BodyReader(), id);
		}
		catch (RestClientException ex) {
			logger.warn("Cannot notify of {}: {}", id, ex.toString());
		}
	}

}
