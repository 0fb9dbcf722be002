package io.ballast.http.h1.client;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h1.client.ResponseHeadWriter.ClientConnectionHeader;
import io.ballast.http.h1.wire.Dechunker;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.RequestState;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Forwards a backend's response to a client, adapted to the client's HTTP version. Event-loop confined. */
final class ResponseRelay {

    private final ClientLoop loop;
    private final Counters.Shard<ListenerCounter> counters;
    private final ClientOutput output;
    private final HeaderContext headerContext;
    private final RequestState request;
    private @Nullable Dechunker dechunker;

    ResponseRelay(ClientLoop loop, Listener listener, ClientOutput output, HeaderContext edits, RequestState request) {
        this.loop = loop;
        this.counters = listener.counters().shard(loop.worker.index());
        this.output = output;
        this.headerContext = edits;
        this.request = request;
    }

    /** Passes on a 1xx response; consumes {@code received}. */
    void informational(ResponseScanner head, ByteBuf received) {
        counters.increment(ListenerCounter.RESPONSES_1XX);
        if (request.isVersion10()) {
            received.release(); // RFC 9110 section 15.2 forbids 1xx responses to HTTP/1.0 clients
            return;
        }
        output.write(loop.responseWriter.rewrite(
                head,
                received,
                ClientConnectionHeader.NONE,
                loop.worker.date(),
                /* dropChunked= */ false,
                CompiledHeaderChanges.NONE,
                headerContext,
                loop.worker.allocator()));
        output.flush();
    }

    /**
     * Forwards a response head. Consumes {@code received}, which contains the head and then {@code bodyBytes}
     * bytes of body.
     *
     * @param mayKeepOpen whether the connection can serve another request after this response
     */
    void head(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing, boolean mayKeepOpen) {
        counters.increment(ListenerCounter.ofStatus(head.status()));
        boolean dechunk = request.isVersion10() && framing == BodyFraming.CHUNKED;
        boolean endsWithConnection = framing == BodyFraming.UNTIL_CLOSE || dechunk;
        request.answer(head.status());
        request.setResponseEnd(endsWithConnection, /* close= */ endsWithConnection || !mayKeepOpen);
        ByteBuf out = loop.responseWriter.rewrite(
                head,
                received,
                connectionHeader(),
                loop.worker.date(),
                dechunk,
                headerContext.response(),
                headerContext,
                loop.worker.allocator());
        request.setResponseHeadBytes(out.readableBytes() - bodyBytes);
        dechunker = dechunk ? new Dechunker() : null;
        if (dechunker != null) {
            out = dechunker.decode(out, out.writerIndex() - bodyBytes, loop.worker.allocator());
        }
        output.write(out);
    }

    /** Forwards a protocol switch; consumes {@code received}, which starts with the head. */
    void switchProtocols(ResponseScanner response, ByteBuf received) {
        counters.increment(ListenerCounter.RESPONSES_1XX);
        int behind = received.readableBytes() - response.end;
        ByteBuf out = loop.responseWriter.rewrite(
                response,
                received,
                ClientConnectionHeader.UPGRADE,
                loop.worker.date(),
                /* dropChunked= */ false,
                headerContext.response(),
                headerContext,
                loop.worker.allocator());
        request.answer(response.status());
        request.setResponseEnd(/* withConnection= */ true, /* close= */ true);
        request.setResponseHeadBytes(out.readableBytes() - behind);
        output.write(out);
    }

    private ClientConnectionHeader connectionHeader() {
        if (request.announcesClose()) {
            return ClientConnectionHeader.CLOSE;
        }
        return request.isVersion10() ? ClientConnectionHeader.KEEP_ALIVE : ClientConnectionHeader.NONE;
    }

    /** Writes body data to the client; consumes {@code data}. */
    void body(ByteBuf data) {
        output.write(dechunker == null ? data : dechunker.decode(data, data.readerIndex(), loop.worker.allocator()));
    }
}
