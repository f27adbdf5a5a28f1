package backbench

import io.vertx.core.json.JsonObject
import io.vertx.kotlin.coroutines.coAwait
import io.vertx.sqlclient.SqlClient
import io.vertx.sqlclient.Tuple

class UserRepository(
    client: SqlClient,
) {
    private val byEmail = client.preparedQuery("SELECT email, first, last, city, county, age FROM users WHERE email = ?")

    suspend fun find(email: String): JsonObject? =
        byEmail
            .execute(Tuple.of(email))
            .coAwait()
            .firstOrNull()
            ?.toJson()
}
