package io.ballast.dashboard.web;

import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.Handler;
import io.ballast.dashboard.server.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;

/**
 * One file of the page, plain and compressed, each with an entity tag (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9110#section-8.8.3">RFC 9110, section 8.8.3</a>).
 */
final class Asset implements Handler {

    private static final int ETAG_BYTES = 16;

    private final String contentType;
    private final String cacheControl;
    private final byte[] plain;
    private final byte[] compressed;
    private final String plainEtag;
    private final String compressedEtag;

    Asset(String contentType, String cacheControl, byte[] content) {
        this.contentType = contentType;
        this.cacheControl = cacheControl;
        this.plain = content.clone();
        this.compressed = gzip(content);
        String digest = digest(content);
        this.plainEtag = '"' + digest + '"';
        this.compressedEtag = '"' + digest + "-gzip\"";
    }

    @Override
    public AdminResponse handle(Request request) {
        boolean gzip = request.acceptsGzip();
        String tag = gzip ? compressedEtag : plainEtag;
        boolean known = request.header(HttpHeaderNames.IF_NONE_MATCH)
                .filter(tags -> tags.equals("*") || tags.contains(tag))
                .isPresent();
        if (known) {
            return responseWithHeaders(HttpResponseStatus.NOT_MODIFIED, Unpooled.EMPTY_BUFFER, tag);
        }
        if (!gzip) {
            return responseWithHeaders(HttpResponseStatus.OK, Unpooled.wrappedBuffer(plain), tag);
        }
        return responseWithHeaders(HttpResponseStatus.OK, Unpooled.wrappedBuffer(compressed), tag)
                .with(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP.toString());
    }

    private AdminResponse.Complete responseWithHeaders(HttpResponseStatus status, ByteBuf body, String tag) {
        return AdminResponse.of(status, contentType, body)
                .with(HttpHeaderNames.CACHE_CONTROL, cacheControl)
                .with(HttpHeaderNames.ETAG, tag)
                .with(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING.toString());
    }

    private static byte[] gzip(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(content.length / 2);
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static String digest(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest, 0, ETAG_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }
}
