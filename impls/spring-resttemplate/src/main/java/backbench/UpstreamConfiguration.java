package backbench;

import java.time.Duration;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

@Configuration
public class UpstreamConfiguration {

	@Bean
	public RestTemplate upstream(RestTemplateBuilder builder, @Value("${upstream.url}") String url) {
		// By default a call waits for ever.
		return builder.rootUri(url)
			.setConnectTimeout(Duration.ofSeconds(2))
			.setReadTimeout(Duration.ofSeconds(2))
			.errorHandler(new AnyStatus())
			.build();
	}

}
