package backbench

import io.vertx.core.http.HttpHeaders
import io.vertx.core.http.HttpServerRequest
import io.vertx.ext.auth.PubSecKeyOptions
import io.vertx.ext.auth.authentication.TokenCredentials
import io.vertx.ext.auth.jwt.JWTAuth
import io.vertx.ext.auth.jwt.JWTAuthOptions
import io.vertx.ext.web.Router
import io.vertx.ext.web.RoutingContext
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import io.vertx.kotlin.coroutines.CoroutineVerticle
import io.vertx.kotlin.coroutines.coAwait

private const val SCHEME = "Bearer "

class ApiVerticle(
    private val users: UserRepository,
) : CoroutineVerticle(),
    CoroutineRouterSupport {
    private lateinit var tokens: JWTAuth

    override suspend fun start() {
        val key = PubSecKeyOptions().setAlgorithm("HS256").setBuffer(env("JWT_SECRET"))
        tokens = JWTAuth.create(vertx, JWTAuthOptions().addPubSecKey(key))
        val router = Router.router(vertx)
        router.get("/").coHandler { showUser(it) }
        router.get("/hello").handler { sayHello(it) }
        vertx
            .createHttpServer()
            .requestHandler(router)
            .listen(env("PORT").toInt(), env("HOST"))
            .coAwait()
    }

    private suspend fun showUser(context: RoutingContext) {
        val email = callerEmail(context.request()) ?: return end(context, 401)
        val user = users.find(email) ?: return end(context, 404)
        context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        // json() would escape letters beyond the Basic Multilingual Plane.
        context.end(user.encode()).coAwait()
    }

    // JWTAuthHandler would answer 400 to a malformed header.
    private suspend fun callerEmail(request: HttpServerRequest): String? {
        val header = request.getHeader(HttpHeaders.AUTHORIZATION)
        if (header == null || !header.startsWith(SCHEME)) return null
        val token = TokenCredentials(header.substring(SCHEME.length))
        return try {
            val caller = tokens.authenticate(token).coAwait()
            caller.principal().getValue("email") as? String
        } catch (_: Exception) {
            null
        }
    }

    // fail() would log each refusal as an unhandled exception.
    private fun end(
        context: RoutingContext,
        status: Int,
    ) {
        context.response().setStatusCode(status)
        context.end()
    }

    private fun sayHello(context: RoutingContext) {
        context.response().putHeader(HttpHeaders.CONTENT_TYPE, "text/plain")
        context.end("Hello, World!")
    }
}
