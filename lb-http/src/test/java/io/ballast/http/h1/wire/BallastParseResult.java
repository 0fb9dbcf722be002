package io.ballast.http.h1.wire;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.PartialHead;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The first message as parsed by our scanners, for comparison with {@link NettyParseResult}. */
record BallastParseResult(
        String startLine,
        String fields,
        String body,
        String trailers,
        boolean ended,
        @Nullable HeadError fault) {

    static BallastParseResult ofRequest(String bytes) {
        ByteBuf source = Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1);
        PartialHead.skipEmptyLine(source);
        String message = bytes.substring(source.readerIndex());
        RequestScanner scanner = new RequestScanner();
        if (scanner.scan(Heads.bytes(message), message.length(), Heads.LIMITS) != ScanResult.COMPLETE) {
            return unfinished("", "", scanner.fault);
        }
        String line = message.substring(0, message.indexOf("\r\n"));
        return withBody(line, scanner, scanner.framing(), message.substring(scanner.end));
    }

    static BallastParseResult ofResponse(String bytes) {
        ResponseScanner scanner = new ResponseScanner();
        if (scanner.scan(Heads.bytes(bytes), bytes.length(), Heads.RESPONSE_LIMITS) != ScanResult.COMPLETE) {
            return unfinished("", "", scanner.fault);
        }
        BodyFraming framing = BodyFraming.UNTIL_CLOSE;
        if (scanner.status < 200 || scanner.status == 204 || scanner.status == 304) {
            framing = BodyFraming.NONE;
        } else if (scanner.chunked) {
            framing = BodyFraming.CHUNKED;
        } else if (scanner.contentLength >= 0) {
            framing = BodyFraming.LENGTH;
        }
        if (scanner.isAmbiguous(framing)) {
            return unfinished("", "", HeadError.LENGTH_AND_TRANSFER_ENCODING);
        }
        return withBody(bytes.substring(0, 12), scanner, framing, bytes.substring(scanner.end));
    }

    private static BallastParseResult withBody(String line, FieldScanner scanner, BodyFraming framing, String rest) {
        String fields = fields(scanner);
        BodyReader body = new BodyReader();
        body.start(framing, scanner.contentLength);
        ByteBuf source = Unpooled.copiedBuffer(rest, StandardCharsets.ISO_8859_1);
        int end = body.consume(source, 0, source.writerIndex());
        if (!body.isDone()) {
            return unfinished(line, fields, body.fault());
        }
        String raw = rest.substring(0, end);
        if (framing != BodyFraming.CHUNKED) {
            return new BallastParseResult(line, fields, raw, "", /* ended= */ true, null);
        }
        String trailers = trailers(raw);
        return new BallastParseResult(line, fields, NaiveChunks.data(raw), trailers, /* ended= */ true, null);
    }

    private static BallastParseResult unfinished(String line, String fields, @Nullable HeadError fault) {
        return new BallastParseResult(line, fields, "", "", /* ended= */ false, fault);
    }

    private static String fields(FieldScanner scanner) {
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i < scanner.count; i++) {
            fields.append(Heads.text(scanner, scanner.lineStart[i], scanner.nameEnd[i]))
                    .append('=')
                    .append(Heads.text(scanner, scanner.valueStart[i], scanner.valueEnd[i]))
                    .append('\n');
        }
        return fields.toString();
    }

    private static String trailers(String chunks) {
        StringBuilder trailers = new StringBuilder();
        String[] lines = chunks.substring(NaiveChunks.trailersAt(chunks)).split("\r\n");
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String value = line.substring(colon + 1).replaceAll("^[ \t]+|[ \t]+$", "");
                trailers.append(line, 0, colon).append('=').append(value).append('\n');
            }
        }
        return trailers.toString();
    }
}
