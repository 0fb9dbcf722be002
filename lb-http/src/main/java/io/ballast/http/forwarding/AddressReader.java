package io.ballast.http.forwarding;

import io.ballast.http.head.ByteClasses;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Parses IP addresses in headers: dotted decimal without leading zeros, and every form of RFC 4291 section
 * 2.2, but no zone. Event-loop confined; allocates nothing.
 */
final class AddressReader {

    private static final int GROUPS = 8;

    private final byte[] ipv4 = new byte[4];
    private final byte[] ipv6 = new byte[16];

    /**
     * Returns the 4 or 16 bytes of the address, valid until the next call; null if {@code bytes[from, to)} is not an
     * address.
     */
    byte @Nullable [] read(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == ':') {
                return readIpv6(bytes, from, to) ? ipv6 : null;
            }
        }
        return readIpv4(bytes, from, to) ? ipv4 : null;
    }

    private boolean readIpv4(byte[] bytes, int from, int to) {
        int position = from;
        for (int i = 0; i < ipv4.length; i++) {
            if (i > 0 && (position == to || bytes[position++] != '.')) {
                return false;
            }
            int start = position;
            int value = 0;
            while (position < to && position - start < 3 && bytes[position] >= '0' && bytes[position] <= '9') {
                value = value * 10 + bytes[position++] - '0';
            }
            boolean leadingZero = position - start > 1 && bytes[start] == '0';
            if (position == start || value > 255 || leadingZero) {
                return false;
            }
            ipv4[i] = (byte) value;
        }
        return position == to;
    }

    private boolean readIpv6(byte[] bytes, int from, int to) {
        Arrays.fill(ipv6, (byte) 0);
        int position = from;
        int groups = 0;
        int gap = -1;
        if (startsGap(bytes, position, to)) {
            gap = 0;
            position += 2;
        }
        while (position < to) {
            int end = endOfGroup(bytes, position, to);
            if (end < to && bytes[end] == '.') {
                return groups <= GROUPS - 2
                        && readIpv4(bytes, position, to)
                        && expandGap(groups, gap, /* endsInIpv4= */ true);
            }
            if (groups == GROUPS || end == position || end - position > 4) {
                return false;
            }
            put(groups++, bytes, position, end);
            position = end;
            if (position == to) {
                break;
            }
            if (startsGap(bytes, position, to)) {
                if (gap >= 0) {
                    return false;
                }
                gap = groups;
                position += 2;
            } else if (bytes[position++] != ':' || position == to) {
                return false;
            }
        }
        return expandGap(groups, gap, /* endsInIpv4= */ false);
    }

    private static boolean startsGap(byte[] bytes, int position, int to) {
        return position + 1 < to && bytes[position] == ':' && bytes[position + 1] == ':';
    }

    private static int endOfGroup(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && ByteClasses.hexValue(bytes[end]) >= 0) {
            end++;
        }
        return end;
    }

    private void put(int group, byte[] bytes, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            value = value << 4 | ByteClasses.hexValue(bytes[i]);
        }
        ipv6[2 * group] = (byte) (value >>> 8);
        ipv6[2 * group + 1] = (byte) value;
    }

    /**
     * Appends the IPv4 part, if there is one, to the groups, and moves the groups after the {@code ::} gap to the
     * end.
     */
    private boolean expandGap(int plainGroups, int gap, boolean endsInIpv4) {
        int groups = plainGroups;
        if (endsInIpv4) {
            System.arraycopy(ipv4, 0, ipv6, 2 * groups, ipv4.length);
            groups += 2;
        }
        if (gap < 0) {
            return groups == GROUPS;
        }
        if (groups >= GROUPS) {
            return false;
        }
        int behind = 2 * (groups - gap);
        System.arraycopy(ipv6, 2 * gap, ipv6, ipv6.length - behind, behind);
        Arrays.fill(ipv6, 2 * gap, ipv6.length - behind, (byte) 0);
        return true;
    }
}
