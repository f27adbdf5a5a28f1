package backbench;

import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.SyncHandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;

@Component
public class CallerArgumentResolver implements SyncHandlerMethodArgumentResolver {

	private final TokenVerifier verifier;

	public CallerArgumentResolver(TokenVerifier verifier) {
		this.verifier = verifier;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == Caller.class;
	}

	@Override
	public Caller resolveArgumentValue(MethodParameter parameter, BindingContext context, ServerWebExchange exchange) {
		return this.verifier.verify(exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION));
	}

}
