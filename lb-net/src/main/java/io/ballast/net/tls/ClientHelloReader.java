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
 * Reads the ClientHello with which a TLS connection begins (RFC 8446 section 4.1.2), without taking part in the handshake. It
 * may be spread over several records.
 *
 * <p>Stateless. Cost: one pass over what is there; a copy of the message, of {@value #MOST_BYTES} octets at most.
 */
public final class ClientHelloReader {

    /** The longest message that is read, records included. */
    public static final int MOST_BYTES = 16 * 1024;

    private static final String NAME = "ClientHello";
    private static final int HANDSHAKE = 22;
    private static final int TLS_MAJOR = 3;
    private static final int CLIENT_HELLO = 1;
    private static final int RECORD_HEADER = 5;
    private static final int MESSAGE_HEADER = 4;
    private static final int MOST_RECORD_BYTES = 16 * 1024;
    private static final int VERSION_AND_RANDOM = 34;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;
    private static final int SIGNATURE_ALGORITHMS = 13;
    private static final int ALPN = 16;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int MOST_NAME_BYTES = 255;

    private ClientHelloReader() {}

    /**
     * Reads what has arrived so far and leaves it as it is.
     *
     * @return null if more is needed to tell; {@link ClientHello#NONE} if this is not TLS
     * @throws IllegalArgumentException if it begins as TLS and goes on as something else, or is too long
     */
    public static @Nullable ClientHello read(ByteBuf received) {
        int from = received.readerIndex();
        int available = received.readableBytes();
        if ((available > 0 && received.getByte(from) != HANDSHAKE)
                || (available > 1 && received.getByte(from + 1) != TLS_MAJOR)) {
            return ClientHello.NONE;
        }
        if (available < RECORD_HEADER
                || (available < MOST_BYTES && available < RECORD_HEADER + received.getUnsignedShort(from + 3))) {
            return null; // not even the first record
        }
        byte[] message = new byte[Math.min(available, MOST_BYTES)];
        int length = join(received, message);
        if (length >= MESSAGE_HEADER) {
            Checks.that(message[0] == CLIENT_HELLO, NAME, "message " + message[0], "message " + CLIENT_HELLO);
            int whole = MESSAGE_HEADER + new Piece(message, 1, MESSAGE_HEADER).number(3);
            Checks.that(whole <= MOST_BYTES, NAME, whole + " octets", "at most " + MOST_BYTES);
            if (length >= whole) {
                return parse(new Piece(message, MESSAGE_HEADER, whole));
            }
        }
        Checks.that(available < MOST_BYTES, NAME, available + " octets", "at most " + MOST_BYTES);
        return null;
    }

    /** Joins what the records carry; returns how much that is. */
    private static int join(ByteBuf received, byte[] message) {
        int at = received.readerIndex();
        int length = 0;
        while (at + RECORD_HEADER <= received.writerIndex()) {
            Checks.that(received.getByte(at) == HANDSHAKE, NAME, "another record", "records of handshake");
            int size = received.getUnsignedShort(at + 3);
            Checks.that(size > 0 && size <= MOST_RECORD_BYTES, NAME, "record of " + size, "1 to 16384 octets");
            at += RECORD_HEADER;
            int part = Math.min(Math.min(size, received.writerIndex() - at), message.length - length);
            received.getBytes(at, message, length, part);
            length += part;
            if (part < size || hasWhole(message, length)) {
                return length;
            }
            at += size;
        }
        return length;
    }

    /** What follows the message is not looked at: a client may send data at once. */
    private static boolean hasWhole(byte[] message, int length) {
        return length >= MESSAGE_HEADER && length >= MESSAGE_HEADER + new Piece(message, 1, MESSAGE_HEADER).number(3);
    }

    private static ClientHello parse(Piece hello) {
        hello.skip(VERSION_AND_RANDOM);
        hello.vector(1); // session
        hello.vector(2); // cipher suites
        hello.vector(1); // compression
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
     * Reads what decides about certificates.
     *
     * @param body of the message, which is left as it is
     * @throws IllegalArgumentException if it is malformed
     */
    static ClientOffer offer(ByteBuf body) {
        byte[] message = new byte[body.readableBytes()];
        body.getBytes(body.readerIndex(), message);
        Piece hello = new Piece(message, 0, message.length);
        int version = hello.number(2);
        hello.skip(VERSION_AND_RANDOM - 2);
        hello.vector(1); // session
        ClientOffer.Builder offer = new ClientOffer.Builder(version);
        Piece ciphers = hello.vector(2);
        while (!ciphers.isEmpty()) {
            offer.cipher(ciphers.number(2));
        }
        hello.vector(1); // compression
        Piece extensions = hello.isEmpty() ? hello : hello.vector(2);
        while (!extensions.isEmpty()) {
            int type = extensions.number(2);
            Piece extension = extensions.vector(2);
            switch (type) {
                case SERVER_NAME -> offer.host(serverName(extension));
                case SIGNATURE_ALGORITHMS -> extension.vector(2).numbers(offer::signature);
                case SUPPORTED_VERSIONS -> extension.vector(1).numbers(offer::version);
                default -> {
                    // decides about nothing here
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
                        !text.isEmpty() && text.length() <= MOST_NAME_BYTES,
                        NAME,
                        "name of " + text.length(),
                        "a name");
                return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
            }
        }
        return null;
    }

    /** A part of the message that is read from front to end, and never beyond. */
    private static final class Piece {

        private final byte[] octets;
        private int at;
        private final int end;

        Piece(byte[] octets, int at, int end) {
            this.octets = octets;
            this.at = at;
            this.end = end;
        }

        boolean isEmpty() {
            return at == end;
        }

        void skip(int bytes) {
            Checks.that(bytes <= end - at, NAME, "a piece", "a whole one");
            at += bytes;
        }

        int number(int bytes) {
            int start = at;
            skip(bytes);
            int number = 0;
            for (int i = start; i < at; i++) {
                number = number << Byte.SIZE | (octets[i] & 0xFF);
            }
            return number;
        }

        /** What follows a length of so many octets. */
        Piece vector(int lengthBytes) {
            int length = number(lengthBytes);
            int start = at;
            skip(length);
            return new Piece(octets, start, at);
        }

        /** Reads numbers of two bytes to the end. */
        void numbers(IntConsumer each) {
            while (!isEmpty()) {
                each.accept(number(2));
            }
        }

        String text() {
            return new String(octets, at, end - at, StandardCharsets.ISO_8859_1);
        }
    }
}
