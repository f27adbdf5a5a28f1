package backbench;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;

@Configuration
public class WebConfiguration implements WebFluxConfigurer {

	private final CallerArgumentResolver callerArgumentResolver;

	public WebConfiguration(CallerArgumentResolver callerArgumentResolver) {
		this.callerArgumentResolver = callerArgumentResolver;
	}

	@Override
	public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
		configurer.addCustomResolver(this.callerArgumentResolver);
	}

}
