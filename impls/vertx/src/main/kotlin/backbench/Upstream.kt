package backbench

import io.vertx.core.Future
import io.vertx.core.Vertx
import io.vertx.core.buffer.Buffer
import io.vertx.core.http.HttpClientRequest
import io.vertx.core.http.HttpHeaders
import io.vertx.core.http.PoolOptions
import io.vertx.core.http.RequestOptions
import io.vertx.kotlin.coroutines.coAwait
import java.net.URLEncoder
import java.util.concurrent.TimeUnit

/** Of the whole process. */
private const val POOL_SIZE = 1_000
private const val CONNECT_TIMEOUT_MS = 4_000L
private const val ANSWER_TIMEOUT_MS = 5_000L

class Item(
    val status: Int,
    val contentType: String?,
    val body: Buffer,
)

/** Another service. Each verticle has one, with connections of its own: a share of the pool. */
class Upstream(
    vertx: Vertx,
    private val url: String,
) {
    // By default, all but five calls at a time wait.
    private val client =
        vertx.createHttpClient(
            PoolOptions().setHttp1MaxSize(POOL_SIZE / Runtime.getRuntime().availableProcessors()),
        )

    suspend fun find(id: String): Item = call("items", id).coAwait()

    /** Notifies of an id; the future ends when the answer is read. */
    fun check(id: String): Future<Item> = call("check", id)

    private fun call(
        path: String,
        id: String,
    ): Future<Item> {
        // For a form, a blank is a plus; in a path, it is not.
        val segment = URLEncoder.encode(id, Charsets.UTF_8).replace("+", "%20")
        val address = "$url/$path/$segment"
        val options = RequestOptions().setAbsoluteURI(address).setConnectTimeout(CONNECT_TIMEOUT_MS)
        // The time-out of the client begins again with each byte.
        return client
            .request(options)
            .compose { request ->
                answerTo(request)
                    .timeout(ANSWER_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .onFailure { request.reset() }
            }
    }

    private fun answerTo(request: HttpClientRequest): Future<Item> =
        request.send().compose { response ->
            val contentType = response.getHeader(HttpHeaders.CONTENT_TYPE)
            response.body().map { Item(response.statusCode(), contentType, it) }
        }
}
