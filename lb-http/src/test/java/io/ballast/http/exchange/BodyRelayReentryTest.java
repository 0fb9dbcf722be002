package io.ballast.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BodyRelayReentryTest {

    /** If the client were resumed, a body sent again could have duplicate parts or parts in the wrong order. */
    @Test
    void clientIsNotResumedDuringRequestHandover() {
        AtomicInteger resumed = new AtomicInteger();
        ClientSide client = (ClientSide) Proxy.newProxyInstance(
                ClientSide.class.getClassLoader(), new Class<?>[] {ClientSide.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("resumeRequest")) {
                        resumed.incrementAndGet();
                    }
                    return null;
                });
        BodyRelay relay = new BodyRelay(client);

        relay.sending(true);
        relay.backendWritable();
        assertThat(resumed).hasValue(0);

        relay.sending(false);
        relay.backendWritable();
        assertThat(resumed).hasValue(1);
    }
}
