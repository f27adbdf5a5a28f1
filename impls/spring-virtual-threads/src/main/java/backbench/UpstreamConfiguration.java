package backbench;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

@Configuration
public class UpstreamConfiguration {

	@Bean
	public RestClient upstream(RestClient.Builder builder, @Value("${upstream.url}") String url) {
		return builder.baseUrl(url).build();
	}

}
