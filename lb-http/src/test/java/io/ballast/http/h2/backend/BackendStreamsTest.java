package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.testing.Backends;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackendStreamsTest {

    private static final int MAX_UNUSED = 2;

    private final Workers workers = Workers.start(NettyTransport.choose(TransportKind.NIO), 1, new SplittableRandom(1));
    private final PoolTls tls = PoolTls.NONE;
    private final Backend backend = Backends.backend(0);
    private final Http2Backends loop = new Http2Backends(
            workers.all().get(0),
            tls,
            (of, settings, fresh, exchange) -> null,
            (of, settings, fresh, exchange) -> null,
            (of, settings, retired, channel, reads, ticket) -> {});
    private final Http2BackendConnection connection = new Http2BackendConnection(
            loop,
            backend,
            new Http2BackendPool(loop, backend, BackendConnections.DEFAULT),
            workers.all().get(0).newReadAllocator());
    private final BackendStreams streams = new BackendStreams(connection, MAX_UNUSED);

    @AfterEach
    void close() {
        workers.close();
        tls.close();
    }

    @Test
    void findsStreamsByIdUntilRemoved() {
        BackendStream first = streams.add(1);
        BackendStream second = streams.add(3);

        assertThat(streams.find(1)).isSameAs(first);
        assertThat(streams.remove(3)).isSameAs(second);
        assertThat(streams.find(3)).isNull();
        assertThat(streams.all()).containsExactly(first);
    }

    @Test
    void streamIsReusedAfterCallsReturn() {
        BackendStream over = streams.add(1);
        streams.remove(1);
        streams.recycle(over);

        BackendStream meanwhile = streams.add(3);
        streams.makePooledReusable();
        BackendStream afterwards = streams.add(5);

        assertThat(meanwhile).isNotSameAs(over);
        assertThat(afterwards).isSameAs(over);
    }

    @Test
    void laterFinishedStreamWaitsLonger() {
        BackendStream early = end(streams.add(1), 1);
        BackendStream late = streams.add(3);
        streams.makePooledReusable();
        end(late, 3);

        assertThat(streams.add(5)).isSameAs(early);
        assertThat(streams.add(7)).isNotSameAs(late);
    }

    @Test
    void keptStreamsAreLimited() {
        List<BackendStream> over = List.of(streams.add(1), streams.add(3), streams.add(5));
        over.forEach(streams::recycle);
        streams.makePooledReusable();

        assertThat(List.of(streams.add(7), streams.add(9), streams.add(11)))
                .filteredOn(over::contains)
                .hasSize(MAX_UNUSED);
    }

    private BackendStream end(BackendStream stream, int id) {
        streams.remove(id);
        streams.recycle(stream);
        return stream;
    }
}
