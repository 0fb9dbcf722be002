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

/** The response of a handler. */
public sealed interface AdminResponse {

    /** Headers of this response in addition to the headers that every response has. */
    HttpHeaders headers();

    /**
     * A complete response.
     *
     * @param body consumed when the response is written
     */
    record Complete(HttpResponseStatus status, HttpHeaders headers, ByteBuf body) implements AdminResponse {

        /** Returns a response with another status. */
        public Complete withStatus(HttpResponseStatus other) {
            return new Complete(other, headers, body);
        }

        /** Sets a header. */
        public Complete with(CharSequence name, String value) {
            headers.set(name, value);
            return this;
        }
    }

    /**
     * The head of a response whose body continues until the client or the server closes the connection.
     *
     * @param onStart called on the event loop when the head is written; writes the body to the channel as {@code
     *     HttpContent}
     */
    record Streaming(HttpHeaders headers, Consumer<Channel> onStart) implements AdminResponse {}

    /**
     * A complete response that is computed asynchronously.
     *
     * @param reply completed by any thread, never exceptionally
     */
    record Async(CompletionStage<Complete> reply) implements AdminResponse {

        /** Returns no headers; the response that {@code reply} supplies has its own headers. */
        @Override
        public HttpHeaders headers() {
            return EmptyHttpHeaders.INSTANCE;
        }
    }

    /**
     * A response of any length that is generated while it is sent.
     *
     * @param document closed by the sender, even if it is never sent
     */
    record Chunked(HttpHeaders headers, Document document) implements AdminResponse {}

    /** Returns a long response that must not be cached. */
    static Chunked of(String contentType, Document document) {
        HttpHeaders headers = new DefaultHttpHeaders()
                .set(HttpHeaderNames.CONTENT_TYPE, contentType)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
        return new Chunked(headers, document);
    }

    static Chunked json(Document document) {
        return of("application/json", document);
    }

    /** Returns a response that must not be cached. Only the page's files may be cached. */
    static Complete of(HttpResponseStatus status, String contentType, ByteBuf body) {
        Complete reply = new Complete(status, new DefaultHttpHeaders(), body);
        return reply.with(HttpHeaderNames.CONTENT_TYPE, contentType).with(HttpHeaderNames.CACHE_CONTROL, "no-store");
    }

    /** Redirects a browser to another path of the dashboard. */
    static Complete seeOther(String path) {
        return of(HttpResponseStatus.SEE_OTHER, "text/plain; charset=utf-8", Unpooled.EMPTY_BUFFER)
                .with(HttpHeaderNames.LOCATION, path);
    }

    static Complete json(ByteBuf body) {
        return of(HttpResponseStatus.OK, "application/json", body);
    }

    static Complete text(HttpResponseStatus status, String text) {
        return of(
                status,
                "text/plain; charset=utf-8",
                Unpooled.wrappedBuffer((text + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
