package backbench

import io.vertx.core.http.HttpHeaders
import io.vertx.core.http.HttpServerRequest
import io.vertx.core.json.DecodeException
import io.vertx.core.json.JsonObject
import io.vertx.ext.auth.PubSecKeyOptions
import io.vertx.ext.auth.authentication.TokenCredentials
import io.vertx.ext.auth.jwt.JWTAuth
import io.vertx.ext.auth.jwt.JWTAuthOptions
import io.vertx.ext.web.Router
import io.vertx.ext.web.RoutingContext
import io.vertx.ext.web.handler.BodyHandler
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import io.vertx.kotlin.coroutines.CoroutineVerticle
import io.vertx.kotlin.coroutines.coAwait
import kotlinx.coroutines.delay
import java.util.concurrent.TimeoutException
import java.util.logging.Logger

private const val SCHEME = "Bearer "

private val logger = Logger.getLogger(ApiVerticle::class.java.name)

class ApiVerticle(
    private val users: UserRepository,
    private val visits: VisitRepository,
) : CoroutineVerticle(),
    CoroutineRouterSupport {
    private lateinit var tokens: JWTAuth
    private lateinit var upstream: Upstream

    override suspend fun start() {
        val key = PubSecKeyOptions().setAlgorithm("HS256").setBuffer(env("JWT_SECRET"))
        tokens = JWTAuth.create(vertx, JWTAuthOptions().addPubSecKey(key))
        upstream = Upstream(vertx, env("UPSTREAM_URL"))
        val router = Router.router(vertx)
        router.get("/").coHandler { showUser(it) }
        router.post("/visits").handler(BodyHandler.create(false)).coHandler { addVisit(it) }
        router.get("/hello").handler { sayHello(it) }
        router.get("/gateway/:id").coHandler { passOn(it) }
        router.get("/delay/:ms").coHandler { answerLate(it) }
        router.post("/notify/:id").handler { accept(it) }
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

    private suspend fun addVisit(context: RoutingContext) {
        val visit = visitIn(context) ?: return end(context, 400)
        val record = visits.add(visit)
        context
            .response()
            .setStatusCode(201)
            .putHeader(HttpHeaders.LOCATION, "/visits/${record.getLong("id")}")
            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        context.end(record.encode()).coAwait()
    }

    private fun visitIn(context: RoutingContext): Visit? {
        val body = jsonIn(context) ?: return null
        return Visit(
            user = body.getValue("user") as? String ?: return null,
            page = body.getValue("page") as? String ?: return null,
            text = body.getValue("text") as? String ?: return null,
        )
    }

    private fun jsonIn(context: RoutingContext): JsonObject? =
        try {
            context.body().asJsonObject()
        } catch (_: DecodeException) {
            null
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

    private suspend fun passOn(context: RoutingContext) {
        val item =
            try {
                upstream.find(context.pathParam("id"))
            } catch (error: Exception) {
                return end(context, if (error is TimeoutException) 504 else 502)
            }
        val response = context.response().setStatusCode(item.status)
        if (item.contentType != null) response.putHeader(HttpHeaders.CONTENT_TYPE, item.contentType)
        context.end(item.body).coAwait()
    }

    // fail() would log each refusal as an unhandled exception.
    private fun end(
        context: RoutingContext,
        status: Int,
    ) {
        context.response().setStatusCode(status)
        context.end()
    }

    private suspend fun answerLate(context: RoutingContext) {
        val delayed = context.pathParam("ms").toLongOrNull()?.takeIf { it >= 0 } ?: return end(context, 404)
        delay(delayed)
        context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        context.end(JsonObject.of("delayed", delayed).encode()).coAwait()
    }

    private fun accept(context: RoutingContext) {
        val id = context.pathParam("id")
        // The answer to the client does not wait for this call.
        upstream.check(id).onFailure { logger.warning("Cannot notify of $id: $it") }
        end(context, 202)
    }

    private fun sayHello(context: RoutingContext) {
        context.response().putHeader(HttpHeaders.CONTENT_TYPE, "text/plain")
        context.end("Hello, World!")
    }
}
