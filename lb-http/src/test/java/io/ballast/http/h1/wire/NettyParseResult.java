package io.ballast.http.h1.wire;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpObjectDecoder;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The first message as parsed by Netty's decoder in its strictest configuration. */
public record NettyParseResult(
        String startLine,
        String fields,
        String body,
        String trailers,
        boolean ended,
        @Nullable Throwable fault) {

    private static final int ENOUGH = 1 << 20;

    public static NettyParseResult ofRequest(String bytes) {
        return of(new HttpRequestDecoder(strict()), bytes);
    }

    public static NettyParseResult ofResponse(String bytes) {
        return of(new HttpResponseDecoder(strict()), bytes);
    }

    private static HttpDecoderConfig strict() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(ENOUGH)
                .setMaxHeaderSize(ENOUGH)
                .setMaxChunkSize(ENOUGH)
                .setValidateHeaders(true)
                .setAllowDuplicateContentLengths(false)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true);
    }

    private static NettyParseResult of(HttpObjectDecoder decoder, String bytes) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        Throwable thrown = null;
        try {
            channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
        } catch (DecoderException e) {
            thrown = e;
        }
        try {
            return firstMessage(channel, thrown);
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private static NettyParseResult firstMessage(EmbeddedChannel channel, @Nullable Throwable thrown) {
        String startLine = "";
        String fields = "";
        StringBuilder body = new StringBuilder();
        for (Object read = channel.readInbound(); read != null; read = channel.readInbound()) {
            try {
                DecoderResult result = ((HttpObject) read).decoderResult();
                if (result.isFailure()) {
                    return new NettyParseResult(
                            startLine, fields, body.toString(), "", /* ended= */ false, result.cause());
                }
                if (read instanceof HttpMessage message) {
                    startLine = startLine(message);
                    fields = lines(message.headers());
                }
                if (read instanceof HttpContent content) {
                    body.append(content.content().toString(StandardCharsets.ISO_8859_1));
                }
                if (read instanceof LastHttpContent last) {
                    String trailers = lines(last.trailingHeaders());
                    return new NettyParseResult(startLine, fields, body.toString(), trailers, /* ended= */ true, null);
                }
            } finally {
                ReferenceCountUtil.release(read);
            }
        }
        return new NettyParseResult(startLine, fields, body.toString(), "", /* ended= */ false, thrown);
    }

    private static String startLine(HttpMessage message) {
        if (message instanceof HttpRequest request) {
            return request.method() + " " + request.uri() + " " + request.protocolVersion();
        }
        HttpResponse response = (HttpResponse) message;
        return response.protocolVersion() + " " + response.status().code();
    }

    private static String lines(HttpHeaders headers) {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<String, String> entry : headers) {
            lines.append(entry.getKey()).append('=').append(entry.getValue()).append('\n');
        }
        return lines.toString();
    }

    /** Returns all values of a field, one per line. */
    public String values(String name) {
        StringJoiner values = new StringJoiner("\n");
        for (String line : fields.split("\n")) {
            if (line.length() > name.length()
                    && line.charAt(name.length()) == '='
                    && line.substring(0, name.length()).equalsIgnoreCase(name)) {
                values.add(line.substring(name.length() + 1));
            }
        }
        return values.toString();
    }
}
