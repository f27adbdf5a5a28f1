package backbench

import io.vertx.core.json.JsonObject
import io.vertx.kotlin.coroutines.coAwait
import io.vertx.mysqlclient.MySQLClient
import io.vertx.sqlclient.SqlClient
import io.vertx.sqlclient.Tuple

class Visit(
    val user: String,
    val page: String,
    val text: String,
)

class VisitRepository(
    client: SqlClient,
) {
    private val insert = client.preparedQuery("INSERT INTO visits (user, page, text) VALUES (?, ?, ?)")

    /** Returns the record of the new row. */
    suspend fun add(visit: Visit): JsonObject {
        val added = insert.execute(Tuple.of(visit.user, visit.page, visit.text)).coAwait()
        return JsonObject()
            .put("id", added.property(MySQLClient.LAST_INSERTED_ID))
            .put("user", visit.user)
            .put("page", visit.page)
            .put("text", visit.text)
    }
}
