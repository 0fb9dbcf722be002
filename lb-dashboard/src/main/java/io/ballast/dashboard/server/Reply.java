package io.ballast.dashboard.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** What a handler answers. */
public sealed interface Reply {

    /** Headers besides those that every response gets. */
    HttpHeaders headers();

    /**
     * A whole response.
     *
     * @param body consumed when the response is written
     */
    record Full(HttpResponseStatus status, HttpHeaders headers, ByteBuf body) implements Reply {

        /** Adds a header. */
        public Full with(CharSequence name, String value) {
            headers.set(name, value);
            return this;
        }
    }

    /**
     * The head of a response that goes on until one side ends it.
     *
     * @param started called on the event loop once the head is written; the channel takes {@code HttpContent}
     */
    record Stream(HttpHeaders headers, Consumer<Channel> started) implements Reply {}

    /**
     * A whole response that is not there yet.
     *
     * @param reply completed by any thread, never by a failure
     */
    record Later(CompletionStage<Full> reply) implements Reply {

        /** None: the response brings its own. */
        @Override
        public HttpHeaders headers() {
            return EmptyHttpHeaders.INSTANCE;
        }
    }

    /**
     * A response of any length, made while it is sent.
     *
     * @param document closed by whoever sends it, also if it is not sent
     */
    record Pieces(HttpHeaders headers, Document document) implements Reply {}

    /** A long response that caches must not keep. */
    static Pieces of(String contentType, Document document) {
        HttpHeaders headers = new DefaultHttpHeaders()
                .set(HttpHeaderNames.CONTENT_TYPE, contentType)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
        return new Pieces(headers, document);
    }

    static Pieces json(Document document) {
        return of("application/json", document);
    }

    /** A response that caches must not keep, as everything but the page's files is. */
    static Full of(HttpResponseStatus status, String contentType, ByteBuf body) {
        Full reply = new Full(status, new DefaultHttpHeaders(), body);
        return reply.with(HttpHeaderNames.CONTENT_TYPE, contentType).with(HttpHeaderNames.CACHE_CONTROL, "no-store");
    }

    /** Sends a browser to another page of ours. */
    static Full seeOther(String path) {
        return of(HttpResponseStatus.SEE_OTHER, "text/plain; charset=utf-8", Unpooled.EMPTY_BUFFER)
                .with(HttpHeaderNames.LOCATION, path);
    }

    static Full json(ByteBuf body) {
        return of(HttpResponseStatus.OK, "application/json", body);
    }

    static Full text(HttpResponseStatus status, String text) {
        return of(
                status,
                "text/plain; charset=utf-8",
                Unpooled.wrappedBuffer((text + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
