package io.ballast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which API request a command sends, for arguments with characters that a URL cannot contain. */
class RequestsOfCommandsTest {

    private static final String WHO = "who=" + System.getProperty("user.name");

    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::refuse);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            backends|GET /pools
            backends drain web a:1 --for 10m --deadline 5m --yes --why new%20disk|POST /pools/web/backends/a%3A1/drain?WHO&why=new%20disk&deadline=5m&until=10m&confirm=true
            backends down a/b [::1]:80 cfg.yaml|POST /pools/a%2Fb/backends/%5B%3A%3A1%5D%3A80/down?WHO
            backends up web a:1 --for 10m|POST /pools/web/backends/a%3A1/up?WHO&until=10m
            backends weight web a:1 3 cfg.yaml --yes|POST /pools/web/backends/a%3A1/weight?WHO&weight=3&confirm=true
            backends enable web a:1|POST /pools/web/backends/a%3A1/enable?WHO
            backends add web a:1 --weight 2 --backup|POST /pools/web/backends?address=a%3A1&WHO&weight=2&backup=true
            backends set web a:1 --backup=false --yes|PUT /pools/web/backends/a%3A1?WHO&backup=false&confirm=true
            backends remove web a:1 --why x|DELETE /pools/web/backends/a%3A1?WHO&why=x
            backends reset web a:1|DELETE /pools/web/changes?address=a%3A1&WHO
            pools maintenance web on --for 1h|POST /pools/web/maintenance?WHO&until=1h
            pools maintenance web off|POST /pools/web/serve?WHO
            cache purge --url http://a/?b=c&d*|POST /cache/purge?url=http%3A%2F%2Fa%2F%3Fb%3Dc%26d*&WHO
            cache purge --tag news --policy c|POST /cache/purge?tag=news&policy=c&WHO
            cache purge --all|POST /cache/purge?WHO
            status --cluster|GET /cluster/stats
            cluster forget n3|DELETE /cluster/nodes/n3?WHO
            acme list --limit 5 --offset 10|GET /certificates/ordered?limit=5&offset=10
            acme revoke *.Example.com --reason superseded|POST /certificates/revoke?name=*.example.com&reason=superseded&WHO
            cluster history|GET /cluster/configuration
            cluster diff 1 2 cfg.yaml|GET /cluster/configuration
            cluster rollback|POST /cluster/configuration/rollback?wait=30s&WHO
            cluster rollback 5 cfg.yaml --note slow --wait 1m|POST /cluster/configuration/rollback?version=5&note=slow&wait=1m&WHO
            agents|GET /agents?limit=1000
            agents list|GET /agents?limit=1000
            agents show a/1|GET /agents/a%2F1
            agents approve a1 cfg.yaml|POST /agents/a1/approve?WHO
            agents revoke a1|POST /agents/a1/revoke?WHO
            tokens|GET /agent-tokens
            tokens revoke rack1|POST /agent-tokens/rack1/revoke?WHO
            dns flush|POST /dns/cache/flush
            dns flush --name a.example --below --type AAAA|POST /dns/cache/flush?name=a.example&below=true&type=AAAA
            dns pause --for 1m --group kids|POST /dns/filter/pause?seconds=60&group=kids&WHO
            dns resume|POST /dns/filter/resume?WHO
            dns allow a.example|POST /dns/filter/allow?name=a.example&WHO
            dns explain a.example --from 192.0.2.1|GET /dns/explain?name=a.example&type=A&from=192.0.2.1%2F32
            reload|POST /reload
            reload --dry-run|POST /reload?dry_run=true
            status|GET /stats
            top --once|GET /pools
            """)
    void commandSendsRequest(String command, String request) {
        List<String> arguments = new ArrayList<>();
        for (String argument : command.split(" ")) {
            arguments.add(argument.replace("%20", " "));
        }
        arguments.add("--api");
        arguments.add("http://127.0.0.1:" + server.getAddress().getPort());

        int exitCode = TestedCommands.commandLine()
                .setOut(new PrintWriter(Writer.nullWriter()))
                .setErr(new PrintWriter(Writer.nullWriter()))
                .execute(arguments.toArray(String[]::new));

        assertThat(requests).containsExactly(request.replace(" /", " /api/v1/").replace("WHO", WHO));
        assertThat(exitCode).isEqualTo(command.startsWith("dns explain") ? 1 : 2);
    }

    private void refuse(HttpExchange exchange) throws IOException {
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        byte[] body = "{\"detail\": \"refused\"}".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(403, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
