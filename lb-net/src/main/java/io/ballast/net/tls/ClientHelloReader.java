package io.ballast.net.tls;

import io.ballast.core.Checks;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Parses the ClientHello at the beginning of a TLS connection (RFC 8446 section 4.1.2), without taking part in the
 * handshake. The message may span several records.
 *
 * <p>Stateless. Cost: one pass over the received bytes, and a copy of the message, at most {@value #MAX_BYTES} bytes.
 */
public final class ClientHelloReader {

    /** Maximum length of an accepted ClientHello in bytes, including the headers of its TLS records. */
    public static final int MAX_BYTES = 16 * 1024;

    private static final String NAME = "ClientHello";
    private static final int HANDSHAKE = 22;
    private static final int TLS_MAJOR = 3;
    private static final int CLIENT_HELLO = 1;
    private static final int RECORD_HEADER = 5;
    private static final int MESSAGE_HEADER = 4;
    private static final int MAX_RECORD_BYTES = 16 * 1024;
    private static final int VERSION_AND_RANDOM = 34;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;
    private static final int SIGNATURE_ALGORITHMS = 13;
    private static final int ALPN = 16;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int MAX_NAME_BYTES = 255;

    private ClientHelloReader() {}

    /**
     * Parses the bytes received so far, without consuming them.
     *
     * @return null if more bytes are needed; {@link ClientHello#NONE} if this is not TLS
     * @throws IllegalArgumentException if the data begins as TLS but is malformed or too long
     */
    public static @Nullable ClientHello read(ByteBuf received) {
        int from = received.readerIndex();
        int available = received.readableBytes();
        if ((available > 0 && received.getByte(from) != HANDSHAKE)
                || (available > 1 && received.getByte(from + 1) != TLS_MAJOR)) {
            return ClientHello.NONE;
        }
        if (available < RECORD_HEADER
                || (available < MAX_BYTES && available < RECORD_HEADER + received.getUnsignedShort(from + 3))) {
            return null; // the first record is incomplete
        }
        byte[] message = new byte[Math.min(available, MAX_BYTES)];
        int length = join(received, message);
        if (length >= MESSAGE_HEADER) {
            Checks.that(message[0] == CLIENT_HELLO, NAME, "message " + message[0], "message " + CLIENT_HELLO);
            int whole = MESSAGE_HEADER + new Piece(message, 1, MESSAGE_HEADER).number(3);
            Checks.that(whole <= MAX_BYTES, NAME, whole + " bytes", "at most " + MAX_BYTES);
            if (length >= whole) {
                return parse(new Piece(message, MESSAGE_HEADER, whole));
            }
        }
        Checks.that(available < MAX_BYTES, NAME, available + " bytes", "at most " + MAX_BYTES);
        return null;
    }

    /** Joins the payload of the records; returns its length. */
    private static int join(ByteBuf received, byte[] message) {
        int at = received.readerIndex();
        int length = 0;
        while (at + RECORD_HEADER <= received.writerIndex()) {
            Checks.that(received.getByte(at) == HANDSHAKE, NAME, "unexpected record type", "TLS handshake records");
            int size = received.getUnsignedShort(at + 3);
            Checks.that(size > 0 && size <= MAX_RECORD_BYTES, NAME, "record of " + size, "1 to 16384 bytes");
            at += RECORD_HEADER;
            int part = Math.min(Math.min(size, received.writerIndex() - at), message.length - length);
            received.getBytes(at, message, length, part);
            length += part;
            if (part < size || isComplete(message, length)) {
                return length;
            }
            at += size;
        }
        return length;
    }

    /**
     * Whether the ClientHello is complete. Records after it are ignored, because a client may send data before
     * the server answers.
     */
    private static boolean isComplete(byte[] message, int length) {
        return length >= MESSAGE_HEADER && length >= MESSAGE_HEADER + new Piece(message, 1, MESSAGE_HEADER).number(3);
    }

    private static ClientHello parse(Piece hello) {
        hello.skip(VERSION_AND_RANDOM);
        hello.vector(1); // skips the session ID
        hello.vector(2); // skips the cipher suites
        hello.vector(1); // skips the compression methods
        String serverName = null;
        List<String> alpn = new ArrayList<>();
        if (hello.isEmpty()) {
            return ClientHello.NONE;
        }
        Piece extensions = hello.vector(2);
        while (!extensions.isEmpty()) {
            int type = extensions.number(2);
            Piece extension = extensions.vector(2);
            if (type == SERVER_NAME && serverName == null) {
                serverName = serverName(extension);
            } else if (type == ALPN) {
                Piece protocols = extension.vector(2);
                while (!protocols.isEmpty()) {
                    alpn.add(protocols.vector(1).text());
                }
            }
        }
        return new ClientHello(serverName, alpn);
    }

    /**
     * Parses the fields that determine which certificates the client accepts.
     *
     * @param body the body of the message, which is not consumed
     * @throws IllegalArgumentException if it is malformed
     */
    static ClientHelloOffer offer(ByteBuf body) {
        byte[] message = new byte[body.readableBytes()];
        body.getBytes(body.readerIndex(), message);
        Piece hello = new Piece(message, 0, message.length);
        int version = hello.number(2);
        hello.skip(VERSION_AND_RANDOM - 2);
        hello.vector(1); // skips the session ID
        ClientHelloOffer.Builder offer = new ClientHelloOffer.Builder(version);
        Piece ciphers = hello.vector(2);
        while (!ciphers.isEmpty()) {
            offer.cipher(ciphers.number(2));
        }
        hello.vector(1); // skips the compression methods
        Piece extensions = hello.isEmpty() ? hello : hello.vector(2);
        while (!extensions.isEmpty()) {
            int type = extensions.number(2);
            Piece extension = extensions.vector(2);
            switch (type) {
                case SERVER_NAME -> offer.host(serverName(extension));
                case SIGNATURE_ALGORITHMS -> extension.vector(2).numbers(offer::signature);
                case SUPPORTED_VERSIONS -> extension.vector(1).numbers(offer::version);
                case ALPN -> {
                    Piece protocols = extension.vector(2);
                    while (!protocols.isEmpty()) {
                        offer.protocol(protocols.vector(1).text());
                    }
                }
                default -> {
                    // other extensions do not affect the choice of the certificate
                }
            }
        }
        return offer.build();
    }

    private static @Nullable String serverName(Piece extension) {
        Piece names = extension.vector(2);
        while (!names.isEmpty()) {
            int type = names.number(1);
            Piece name = names.vector(2);
            if (type == HOST_NAME) {
                String text = name.text().toLowerCase(Locale.ROOT);
                Checks.that(
                        !text.isEmpty() && text.length() <= MAX_NAME_BYTES,
                        NAME,
                        "server name of length " + text.length(),
                        "1 to 255");
                return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
            }
        }
        return null;
    }

    /** A slice of the message with bounds-checked sequential reads. */
    private static final class Piece {

        private final byte[] bytes;
        private int at;
        private final int end;

        Piece(byte[] bytes, int at, int end) {
            this.bytes = bytes;
            this.at = at;
            this.end = end;
        }

        boolean isEmpty() {
            return at == end;
        }

        void skip(int bytes) {
            Checks.that(bytes <= end - at, NAME, "truncated message", "a complete message");
            at += bytes;
        }

        int number(int bytes) {
            int start = at;
            skip(bytes);
            int number = 0;
            for (int i = start; i < at; i++) {
                number = number << Byte.SIZE | (this.bytes[i] & 0xFF);
            }
            return number;
        }

        /** Reads a vector whose length field has {@code lengthBytes} bytes. */
        Piece vector(int lengthBytes) {
            int length = number(lengthBytes);
            int start = at;
            skip(length);
            return new Piece(bytes, start, at);
        }

        /** Reads two-byte numbers until no bytes remain. */
        void numbers(IntConsumer each) {
            while (!isEmpty()) {
                each.accept(number(2));
            }
        }

        String text() {
            return new String(bytes, at, end - at, StandardCharsets.ISO_8859_1);
        }
    }
}
