package io.ballast.dns.protect;

/**
 * UDP source ports that no resolver uses. Queries from these ports are spoofed, in order to start a loop
 * between this server and a service that answers any packet.
 */
final class SuspiciousPorts {

    private static final int ECHO = 7;
    private static final int DAYTIME = 13;
    private static final int QUOTE_OF_THE_DAY = 17;
    private static final int CHARACTER_GENERATOR = 19;
    private static final int TIME = 37;

    private SuspiciousPorts() {}

    /** Whether a response to this port could start a loop between two servers, or can never arrive (port 0). */
    static boolean isSuspicious(int port) {
        return switch (port) {
            case 0, ECHO, DAYTIME, QUOTE_OF_THE_DAY, CHARACTER_GENERATOR, TIME -> true;
            default -> false;
        };
    }
}
