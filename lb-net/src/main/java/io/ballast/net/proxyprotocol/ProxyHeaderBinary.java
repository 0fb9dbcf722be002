package io.ballast.net.proxyprotocol;

import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Version 2 of the PROXY protocol: fixed fields, addresses, and type-length-value triples. */
final class ProxyHeaderBinary {

    private static final String NAME = "PROXY header";
    private static final int FIXED_BYTES = 4;
    private static final int VERSION_2 = 2;
    private static final int LOCAL = 0;
    private static final int PROXY = 1;
    private static final int UNSPECIFIED = 0x00;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;
    private static final int TYPE_CRC32C = 0x03;
    private static final int TLV_FIXED_BYTES = 3;
    private static final int CRC_BYTES = 4;

    private ProxyHeaderBinary() {}

    /** Parses the header after the signature, which ends at {@code at}. */
    static @Nullable ProxyHeader read(byte[] bytes, int at, int length) {
        if (length < at + FIXED_BYTES) {
            return null;
        }
        int version = readUnsignedByte(bytes, at) >> 4;
        int command = readUnsignedByte(bytes, at) & 0x0f;
        Checks.that(version == VERSION_2, NAME, "version " + version, "1 or 2");
        Checks.that(command == LOCAL || command == PROXY, NAME, "command " + command, "LOCAL or PROXY");
        int family = readUnsignedByte(bytes, at + 1);
        int start = at + FIXED_BYTES;
        int end = start + readUnsignedShort(bytes, at + 2);
        Checks.that(end <= ProxyHeader.MAX_BYTES, NAME, end + " bytes", "at most " + ProxyHeader.MAX_BYTES);
        int values = start + addressBytes(family, command);
        Checks.that(values <= end, NAME, end + " bytes", "enough bytes for the addresses");
        if (length < end) {
            return null;
        }
        if (command == LOCAL || family == UNSPECIFIED) {
            return ProxyHeader.withoutClient(end);
        }
        checkValues(bytes, values, end);
        int addressBytes = family == TCP4 ? 4 : 16;
        int ports = start + 2 * addressBytes;
        return new ProxyHeader(
                end,
                Optional.of(endpoint(bytes, start, addressBytes, ports)),
                Optional.of(endpoint(bytes, start + addressBytes, addressBytes, ports + 2)));
    }

    private static ProxyHeader.Endpoint endpoint(byte[] bytes, int at, int addressBytes, int port) {
        IpAddress address = IpAddress.of(Arrays.copyOfRange(bytes, at, at + addressBytes));
        return new ProxyHeader.Endpoint(address, readUnsignedShort(bytes, port));
    }

    /** The length of the addresses in bytes. The content of LOCAL headers is skipped. */
    private static int addressBytes(int family, int command) {
        if (command == LOCAL || family == UNSPECIFIED) {
            return 0;
        }
        Checks.that(family == TCP4 || family == TCP6, NAME, "family " + family, "TCP over IPv4 or IPv6");
        return 2 * ((family == TCP4 ? 4 : 16) + 2);
    }

    private static void checkValues(byte[] bytes, int start, int end) {
        int at = start;
        while (at < end) {
            Checks.that(at + TLV_FIXED_BYTES <= end, NAME, "truncated TLV", "complete TLVs");
            int next = at + TLV_FIXED_BYTES + readUnsignedShort(bytes, at + 1);
            Checks.that(next <= end, NAME, "truncated TLV", "complete TLVs");
            if (readUnsignedByte(bytes, at) == TYPE_CRC32C) {
                checkSum(bytes, at + TLV_FIXED_BYTES, next, end);
            }
            at = next;
        }
    }

    /** Checks the checksum, which covers the whole header with its own field set to 0. */
    private static void checkSum(byte[] bytes, int at, int next, int end) {
        Checks.that(next - at == CRC_BYTES, NAME, "a checksum of " + (next - at) + " bytes", "" + CRC_BYTES);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, at);
        crc.update(new byte[CRC_BYTES]);
        crc.update(bytes, next, end - next);
        long sent = (long) readUnsignedShort(bytes, at) << 16 | readUnsignedShort(bytes, at + 2);
        Checks.that(crc.getValue() == sent, NAME, "wrong checksum", "a matching CRC-32C checksum");
    }

    private static int readUnsignedByte(byte[] bytes, int at) {
        return bytes[at] & 0xff;
    }

    private static int readUnsignedShort(byte[] bytes, int at) {
        return readUnsignedByte(bytes, at) << 8 | readUnsignedByte(bytes, at + 1);
    }
}
