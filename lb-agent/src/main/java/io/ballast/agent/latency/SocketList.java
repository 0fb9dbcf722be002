package io.ballast.agent.latency;

import io.ballast.core.net.IpAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the output of {@code ss -Htni state established}. A line with the addresses of a connection is followed by an
 * indented line with the values of the kernel. Lines in another form are skipped. Stateless.
 */
final class SocketList {

    /** The maximum number of connections that are read. */
    static final int MAX = 20_000;

    private static final Pattern ADDRESSES =
            Pattern.compile("^\\d+\\s+\\d+\\s+(\\S+):(\\d{1,5})\\s+(\\S+):(\\d{1,5})(?:\\s.*)?$");
    private static final Pattern ROUND_TRIP = Pattern.compile("\\srtt:(\\d{1,8})(?:\\.(\\d{1,3}))?\\d*/");
    private static final String MAPPED = "::ffff:";
    private static final int MICROS_PER_MILLI = 1_000;

    private SocketList() {}

    /** Returns the connections with a measured round-trip time, at most {@value #MAX}. */
    static List<SocketTime> read(BufferedReader lines) throws IOException {
        List<SocketTime> all = new ArrayList<>();
        Matcher socket = ADDRESSES.matcher("");
        for (String line = lines.readLine(); line != null && all.size() < MAX; line = lines.readLine()) {
            boolean isDetail = !line.isEmpty() && Character.isWhitespace(line.charAt(0));
            if (!isDetail) {
                socket.reset(line);
            }
            Matcher time = ROUND_TRIP.matcher(line);
            if (socket.matches() && time.find()) {
                socketTime(socket, micros(time)).ifPresent(all::add);
            }
        }
        return all;
    }

    private static long micros(Matcher time) {
        String fraction = time.group(2) == null ? "" : time.group(2);
        return Long.parseLong(time.group(1)) * MICROS_PER_MILLI + Long.parseLong((fraction + "000").substring(0, 3));
    }

    private static Optional<SocketTime> socketTime(Matcher socket, long micros) {
        try {
            String peer = socket.group(3).replace("[", "").replace("]", "");
            IpAddress address = IpAddress.parse(
                    peer.startsWith(MAPPED) && peer.contains(".") ? peer.substring(MAPPED.length()) : peer);
            return micros == 0
                    ? Optional.empty()
                    : Optional.of(new SocketTime(
                            Integer.parseInt(socket.group(2)), address, Integer.parseInt(socket.group(4)), micros));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // for example an address with a scope, whose client is on the same link
        }
    }
}
