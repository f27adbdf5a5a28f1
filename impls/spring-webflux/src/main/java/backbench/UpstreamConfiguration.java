package backbench;

import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;

@Configuration
public class UpstreamConfiguration {

	@Bean
	public WebClientCustomizer upstreamConnections() {
		// As by default, but for that all further calls wait, and not 1,000 of them.
		ConnectionProvider connections = ConnectionProvider.builder("upstream")
			.maxConnections(500)
			.pendingAcquireMaxCount(-1)
			.build();
		return (builder) -> builder.clientConnector(new ReactorClientHttpConnector(HttpClient.create(connections)));
	}

}
