package backbench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.ResponseExtractor;

/** Reads a body to its end. */
public class BodyReader implements ResponseExtractor<Void> {

	@Override
	public Void extractData(ClientHttpResponse response) throws IOException {
		// Spring does not close a body that ends too early, and its connection would stay
		// until it is collected.
		try (InputStream body = response.getBody()) {
			body.transferTo(OutputStream.nullOutputStream());
		}
		return null;
	}

}
