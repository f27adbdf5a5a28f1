package backbench;

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
	public WebClient upstream(WebClient.Builder builder, @Value("${upstream.url}") String url) {
		// By default, 500 calls are made at a time, 1,000 wait, and more are refused.
		ConnectionProvider connections = ConnectionProvider.builder("upstream")
			.maxConnections(1_000)
			.pendingAcquireMaxCount(-1)
			.build();
		return builder.baseUrl(url)
			.clientConnector(new ReactorClientHttpConnector(HttpClient.create(connections)))
			.build();
	}

}
