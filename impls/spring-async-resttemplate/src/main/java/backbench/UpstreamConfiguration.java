package backbench;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.client.AsyncRestTemplate;
import org.springframework.web.util.DefaultUriBuilderFactory;

@Configuration
@SuppressWarnings("deprecation")
public class UpstreamConfiguration {

	@Bean
	public AsyncRestTemplate upstream(ThreadPoolTaskExecutor executor, @Value("${upstream.url}") String url) {
		SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
		requests.setTaskExecutor(executor);
		requests.setConnectTimeout(100);
		requests.setReadTimeout(200);
		AsyncRestTemplate upstream = new AsyncRestTemplate(requests);
		upstream.setUriTemplateHandler(new DefaultUriBuilderFactory(url));
		upstream.setErrorHandler(new AnyStatus());
		return upstream;
	}

}
