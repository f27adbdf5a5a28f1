package backbench

import io.vertx.core.DeploymentOptions
import io.vertx.core.Vertx
import io.vertx.mysqlclient.MySQLBuilder
import io.vertx.mysqlclient.MySQLConnectOptions
import io.vertx.sqlclient.Pool
import io.vertx.sqlclient.PoolOptions
import java.util.concurrent.TimeUnit
import java.util.function.Supplier
import kotlin.system.exitProcess

fun main() {
    val vertx = Vertx.vertx()
    Runtime.getRuntime().addShutdownHook(Thread { vertx.close().await(5, TimeUnit.SECONDS) })
    // Created outside of a verticle, it is shared by all instances.
    val database = openDatabase(vertx)
    val users = UserRepository(database)
    val visits = VisitRepository(database)
    val options = DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors())
    vertx.deployVerticle(Supplier { ApiVerticle(users, visits) }, options).onFailure {
        it.printStackTrace()
        exitProcess(1)
    }
}

private fun openDatabase(vertx: Vertx): Pool {
    val connectOptions =
        MySQLConnectOptions()
            .setHost(env("DB_HOST"))
            .setPort(env("DB_PORT").toInt())
            .setUser(env("DB_USER"))
            .setPassword(env("DB_PASSWORD"))
            .setDatabase(env("DB_NAME"))
            .setCachePreparedStatements(true)
    // In seconds; by default, a request waits for half a minute for a connection.
    val poolOptions = PoolOptions().setMaxSize(env("DB_POOL_MAX").toInt()).setConnectionTimeout(5)
    return MySQLBuilder
        .pool()
        .with(poolOptions)
        .connectingTo(connectOptions)
        .using(vertx)
        .build()
}

fun env(name: String): String = checkNotNull(System.getenv(name)) { "$name is not set" }
