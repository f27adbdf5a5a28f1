package backbench;

import java.time.Duration;

import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

@Configuration
public class UpstreamConfiguration {

	@Bean
	public WebClient upstream(WebClient.Builder builder, @Value("${upstream.url}") String url,
			@Value("${upstream.timeout}") Duration timeout) {
		ConnectionProvider connections = ConnectionProvider.builder("upstream")
			.maxConnections(200)
			.pendingAcquireMaxCount(1_000)
			.pendingAcquireTimeout(Duration.ofSeconds(60))
			.build();
		HttpClient client = HttpClient.create(connections).responseTimeout(timeout);
		return builder.baseUrl(url).clientConnector(new ReactorClientHttpConnector(client)).build();
	}

}
