package backbench;

import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

@Component
public class CallerArgumentResolver implements HandlerMethodArgumentResolver {

	private final TokenVerifier verifier;

	public CallerArgumentResolver(TokenVerifier verifier) {
		this.verifier = verifier;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == Caller.class;
	}

	@Override
	public Caller resolveArgument(MethodParameter parameter, ModelAndViewContainer container, NativeWebRequest request,
			WebDataBinderFactory binderFactory) {
		return this.verifier.verify(request.getHeader(HttpHeaders.AUTHORIZATION));
	}

}
