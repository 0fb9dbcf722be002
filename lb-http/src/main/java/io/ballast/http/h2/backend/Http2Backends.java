package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.net.tls.ClientTls;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to backends that speak HTTP/2, and what they need once on each loop. Event-loop
 * confined.
 */
public final class Http2Backends implements ConnectionSource {

    final Worker worker;
    private final PoolTls tls;
    final RequestScanner request = new RequestScanner();
    final ResponseScanner response = new ResponseScanner();
    final ResponseHeadText head = new ResponseHeadText();
    final HeaderBlock block = new HeaderBlock();
    final byte[] copied = new byte[FrameOutput.COPIED_BYTES];
    private byte[] bytes = new byte[8 * 1024];
    private @Nullable BackendConnectionList[] lists = new @Nullable BackendConnectionList[16];

    /** @param tls by which connections are made */
    public Http2Backends(Worker worker, PoolTls tls) {
        this.worker = worker;
        this.tls = tls;
    }

    @Override
    public void open(Backend backend, BackendConnections settings, boolean fresh, Exchange exchange) {
        int id = backend.id();
        if (id >= lists.length) {
            lists = Arrays.copyOf(lists, Math.max(lists.length * 2, id + 1));
        }
        BackendConnectionList list = lists[id];
        if (list == null) {
            list = new BackendConnectionList(this, backend, settings);
            lists[id] = list;
        }
        list.open(exchange, fresh);
    }

    @Nullable ClientTls tls(Backend backend) {
        return tls.of(backend.pool());
    }

    /** An array of at least that many octets, for a moment's use. */
    byte[] bytes(int length) {
        if (bytes.length < length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
        }
        return bytes;
    }

    /** Closes every connection that no exchange uses. */
    public void closeIdle() {
        for (BackendConnectionList list : lists) {
            if (list != null) {
                list.closeIdle();
            }
        }
    }
}
