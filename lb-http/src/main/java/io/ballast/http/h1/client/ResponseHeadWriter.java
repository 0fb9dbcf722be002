package io.ballast.http.h1.client;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.header.HeaderVariables;
import io.ballast.http.serving.DefaultHeaderLines;
import io.ballast.http.serving.ExcludedRanges;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Rewrites the head of a backend's response for the client, in place. The shortened head is moved directly in
 * front of the body, so that both are sent as one buffer without copying the body. Event-loop confined.
 */
final class ResponseHeadWriter {

    private static final byte[] CLOSE = ByteClasses.ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ByteClasses.ascii("Connection: keep-alive\r\n");
    private static final byte[] UPGRADE = ByteClasses.ascii("Connection: Upgrade\r\n");
    private static final byte[] DATE = ByteClasses.ascii("Date: ");
    private static final byte[] CRLF = ByteClasses.ascii("\r\n");
    private static final byte[] NOTHING = {};
    private static final int MINOR_VERSION_AT = 7;
    /**
     * The response status whose {@code Upgrade} header lists protocols for the client (RFC 9110 section 15.5.22).
     */
    private static final int UPGRADE_REQUIRED = 426;

    /** The {@code Connection} header line to write for the client. */
    enum ClientConnectionHeader {
        NONE(NOTHING),
        CLOSE(ResponseHeadWriter.CLOSE),
        KEEP_ALIVE(ResponseHeadWriter.KEEP_ALIVE),
        /** The connection becomes a tunnel; the backend's {@code Upgrade} header is kept. */
        UPGRADE(ResponseHeadWriter.UPGRADE);

        private final byte[] line;

        ClientConnectionHeader(byte[] line) {
            this.line = line;
        }
    }

    private final ExcludedRanges excluded = new ExcludedRanges();
    private final ByteAppender lines = new ByteAppender();

    /**
     * Rewrites the head at the reader index of {@code received}.
     *
     * @param date the date to add if the backend sent no {@code Date} (RFC 9110 section 6.6.1)
     * @param dropChunked whether to remove {@code Transfer-Encoding}, for an HTTP/1.0 client
     * @param edits the header changes of the configured rules
     * @return {@code received}, or a new buffer with the head and the data after it; the caller owns the result,
     *     and no longer owns the argument
     */
    ByteBuf rewrite(
            ResponseScanner response,
            ByteBuf received,
            ClientConnectionHeader connection,
            byte[] date,
            boolean dropChunked,
            CompiledHeaderChanges edits,
            HeaderVariables variables,
            ByteBufAllocator allocator) {
        byte[] source = response.bytes;
        source[MINOR_VERSION_AT] = '1';
        excludeLines(response, connection, dropChunked, edits);
        byte[] added = connection.line;
        int addedBytes = added.length;
        boolean addsDate = !response.hasDate && response.status >= 200;
        boolean addsUpgrade = response.status == UPGRADE_REQUIRED && response.hasUpgrade;
        if (addsDate || addsUpgrade || edits.appendsAny()) {
            lines.clear();
            if (addsUpgrade) {
                lines.append(UPGRADE);
            }
            if (addsDate) {
                lines.append(DATE);
                lines.append(date);
                lines.append(CRLF);
            }
            lines.append(added);
            edits.append(variables, lines);
            DefaultHeaderLines.append(variables.defaultLines(), response, edits, lines);
            added = lines.bytes();
            addedBytes = lines.length();
        }
        int start = received.readerIndex();
        boolean addsSpace = response.lacksSpace();
        if (excluded.isEmpty() && addedBytes == 0 && !addsSpace && !response.hasIrregular) {
            received.setByte(start + MINOR_VERSION_AT, '1');
            return received;
        }
        int spare = excluded.bytes() - addedBytes - (addsSpace ? 1 : 0);
        if (spare >= 0) {
            int end = received.writerIndex();
            received.readerIndex(0);
            received.writerIndex(start + spare);
            compose(response, added, addedBytes, received);
            received.setIndex(start + spare, end);
            return received;
        }
        int body = received.readableBytes() - response.end;
        ByteBuf target = allocator.directBuffer(response.end - spare + body);
        compose(response, added, addedBytes, target);
        // The source is passed as a ByteBuffer, because Netty would allocate an array of ByteBuffers to copy between
        // direct buffers.
        target.writeBytes(received.internalNioBuffer(start + response.end, body));
        received.release();
        return target;
    }

    private void compose(ResponseScanner response, byte[] added, int addedBytes, ByteBuf target) {
        int start = 0;
        if (response.lacksSpace()) {
            start = ResponseScanner.REASON_OFFSET;
            target.writeBytes(response.bytes, 0, start);
            target.writeByte(ByteClasses.SPACE);
        }
        excluded.write(response.bytes, start, response.end - 2, target);
        target.writeBytes(added, 0, addedBytes);
        target.writeByte(ByteClasses.CR);
        target.writeByte(ByteClasses.LF);
    }

    private void excludeLines(
            ResponseScanner response,
            ClientConnectionHeader connection,
            boolean dropChunked,
            CompiledHeaderChanges edits) {
        excluded.reset();
        boolean dropFraming = hasForbiddenFraming(response);
        // RFC 9112 section 6.3: chunked coding takes precedence over Content-Length
        boolean dropLength = dropFraming || (response.chunked && response.contentLength >= 0);
        boolean mayPass = !response.hasHopByHop && !dropChunked && !dropLength && !edits.removesAny();
        if (mayPass && !response.hasBlankBeforeColon && !response.hasIrregular) {
            return;
        }
        for (int i = 0; i < response.count; i++) {
            HeaderName name = response.names[i];
            boolean cut =
                    switch (name == null ? HeaderName.Kind.END_TO_END : name.kind) {
                        case HOP_BY_HOP -> name != HeaderName.UPGRADE || !keepsUpgrade(response, connection);
                        case PROTECTED ->
                            switch (name) {
                                case TRANSFER_ENCODING -> dropChunked || dropFraming;
                                case CONTENT_LENGTH -> dropLength;
                                default -> false;
                            };
                        case FORWARDING -> false;
                        case END_TO_END ->
                            (response.hasConnectionOptions && response.isConnectionOption(i))
                                    || edits.removes(response.bytes, response.lineStart[i], response.nameEnd[i]);
                    };
            if (cut) {
                excluded.add(response.lineStart[i], response.lineLimit(i));
                continue;
            }
            if (response.hasBlankBeforeColon && response.colon(i) > response.nameEnd[i]) {
                // removes blanks before the colon, which RFC 9112 section 5.1 forbids
                excluded.add(response.nameEnd[i], response.colon(i));
            }
            if (response.hasIrregular && name != null) {
                response.excludeIrregular(i, excluded);
            }
        }
    }

    private static boolean keepsUpgrade(ResponseScanner response, ClientConnectionHeader connection) {
        return connection == ClientConnectionHeader.UPGRADE || response.status == UPGRADE_REQUIRED;
    }

    /**
     * Whether the response is a 1xx or 204 with framing headers. Such headers are forbidden, and would make some
     * clients wait for a body (RFC 9110 8.6, RFC 9112 6.1).
     */
    private static boolean hasForbiddenFraming(ResponseScanner response) {
        return (response.status < 200 || response.status == 204) && (response.chunked || response.contentLength >= 0);
    }
}
