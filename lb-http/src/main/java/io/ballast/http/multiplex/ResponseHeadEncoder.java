package io.ballast.http.multiplex;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.h2.wire.HeaderLinesEncoder;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldOutput;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.WebSocketHandshake;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.header.HeaderVariables;
import io.ballast.http.serving.DefaultHeaderLines;

/**
 * Encodes a response head for a client with several streams, without connection-specific fields (RFC 9113 section 8.2.2) and with
 * configured header changes. Event-loop confined.
 */
final class ResponseHeadEncoder {

    private static final byte[] DATE = ByteClasses.ascii("date");
    static final int SUCCESS = 200;

    private final ByteAppender lines = new ByteAppender();

    /** @param date the current time, used if the head has no {@code Date} (RFC 9110 section 6.6.1) */
    void encode(
            ResponseScanner response,
            CompiledHeaderChanges edits,
            HeaderVariables variables,
            byte[] date,
            FieldOutput target) {
        encode(response, response.status, edits, variables, date, target);
    }

    /** Encodes a protocol switch as status 200, as extended CONNECT requires (RFC 8441 section 5). */
    void encodeSwitch(
            ResponseScanner response,
            CompiledHeaderChanges edits,
            HeaderVariables variables,
            byte[] date,
            FieldOutput target) {
        encode(response, SUCCESS, edits, variables, date, target);
    }

    private void encode(
            ResponseScanner response,
            int status,
            CompiledHeaderChanges edits,
            HeaderVariables variables,
            byte[] date,
            FieldOutput target) {
        target.clear();
        target.status(status);
        for (int i = 0; i < response.count; i++) {
            if (isForwarded(response, i, edits) && (status == response.status || !isAccept(response, i))) {
                target.field(
                        response.bytes,
                        response.lineStart[i],
                        response.nameEnd[i],
                        response.bytes,
                        response.valueStart[i],
                        response.valueEnd[i]);
            }
        }
        if (!response.hasDate && status >= 200) {
            target.field(DATE, 0, DATE.length, date, 0, date.length);
        }
        if (edits.appendsAny()) {
            lines.clear();
            edits.append(variables, lines);
            DefaultHeaderLines.append(variables.defaultLines(), response, edits, lines);
            HeaderLinesEncoder.encode(lines.bytes(), 0, lines.length(), target);
        }
    }

    /** Whether the line is {@code Sec-WebSocket-Accept}, which has no meaning without an upgrade. */
    private static boolean isAccept(ResponseScanner response, int line) {
        return ByteClasses.equalsIgnoreCase(
                response.bytes, response.lineStart[line], response.nameEnd[line], WebSocketHandshake.ACCEPT);
    }

    private static boolean isForwarded(ResponseScanner response, int line, CompiledHeaderChanges edits) {
        HeaderName name = response.names[line];
        return switch (name == null ? HeaderName.Kind.END_TO_END : name.kind) {
            case HOP_BY_HOP -> false;
            case PROTECTED ->
                name != HeaderName.TRANSFER_ENCODING
                        && (name != HeaderName.CONTENT_LENGTH
                                || (response.status >= 200 && response.status != 204 && !response.chunked));
            case FORWARDING -> true;
            case END_TO_END ->
                !(response.hasConnectionOptions && response.isConnectionOption(line))
                        && !edits.removes(response.bytes, response.lineStart[line], response.nameEnd[line]);
        };
    }
}
