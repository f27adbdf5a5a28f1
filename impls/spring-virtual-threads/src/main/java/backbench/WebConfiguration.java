package backbench;

import java.util.List;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@Configuration
public class WebConfiguration implements WebMvcConfigurer {

	private final CallerArgumentResolver callerArgumentResolver;

	public WebConfiguration(CallerArgumentResolver callerArgumentResolver) {
		this.callerArgumentResolver = callerArgumentResolver;
	}

	@Override
	public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
		resolvers.add(this.callerArgumentResolver);
	}

}
