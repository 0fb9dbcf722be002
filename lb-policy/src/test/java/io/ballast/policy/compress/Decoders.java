package io.ballast.policy.compress;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.brotli.dec.BrotliInputStream;

/** Decoders of content codings. */
final class Decoders {

    private Decoders() {}

    /** Returns a stream that decodes a whole body in Java, which shares no code with the native libraries. */
    static InputStream of(String coding, InputStream body) throws IOException {
        return switch (coding) {
            case "gzip" -> new GZIPInputStream(body);
            case "br" -> new BrotliInputStream(body);
            case "zstd" -> new ZstdInputStream(body);
            default -> throw new IllegalArgumentException(coding);
        };
    }

    /** Returns a stream that decodes each part of a body as soon as it arrives. */
    static InputStream streaming(String coding, InputStream body) throws IOException {
        return switch (coding) {
            case "br" -> new StreamedBrotli(body);
            case "zstd" -> new com.github.luben.zstd.ZstdInputStream(body);
            default -> of(coding, body);
        };
    }
}
