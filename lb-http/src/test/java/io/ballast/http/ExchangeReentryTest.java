package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExchangeReentryTest {

    private final List<String> events = new ArrayList<>();
    private Exchange exchange;

    /** If the client were resumed while it sends its request, parts of the body could be duplicated or reordered. */
    @Test
    void clientIsNotResumedDuringRequestHandover() throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                .loops(1)
                .backend(new HostPort("127.0.0.1", 1))
                .start()) {
            Worker worker = balancer.workers().all().get(0);
            worker.eventLoop().submit(() -> run(balancer, worker)).get();
        }

        assertThat(events).containsExactly("sends", "sent", "resumed");
    }

    private void run(TestBalancer balancer, Worker worker) {
        BackendSide connection = (BackendSide) proxy(BackendSide.class);
        exchange = new Exchange(
                worker,
                (backend, settings, fresh, opening) -> connection,
                balancer.listener(),
                ClientDeadlines.DEFAULT,
                (ClientSide) proxy(ClientSide.class),
                /* proxiedClient= */ null,
                new ClientKeys(1));
        exchange.begin(balancer.pool(), /* generation= */ 0);
        exchange.backendWritable();
        exchange.abort(Failure.CLIENT_GONE);
    }

    /**
     * Returns a fake client or backend side of the exchange. Its methods do nothing, except that the backend becomes
     * writable while the request is sent.
     */
    private Object proxy(Class<?> side) {
        GetRequest request = new GetRequest();
        return Proxy.newProxyInstance(side.getClassLoader(), new Class<?>[] {side}, (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "request" -> {
                    return request;
                }
                case "sendRequest" -> {
                    events.add("sends");
                    exchange.backendWritable();
                    events.add("sent");
                }
                case "resumeRequest" -> events.add("resumed");
                default -> {}
            }
            return method.getReturnType() == boolean.class ? false : null;
        });
    }
}
