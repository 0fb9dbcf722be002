package io.ballast.dns;

import io.ballast.dns.config.DnsConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What the server calls itself when a client asks. */
final class ServerName {

    /** Linux tells it here without looking it up, which could take long. */
    private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

    private ServerName() {}

    /** The configured name, or the machine's; empty if there is none, or the machine does not tell it. */
    static String of(Optional<String> configured) {
        return configured
                .map(name -> name.equals(DnsConfig.HOST_NAME) ? ofMachine() : name)
                .orElse("");
    }

    private static String ofMachine() {
        try {
            if (Files.isReadable(KERNEL)) {
                return Files.readString(KERNEL, StandardCharsets.US_ASCII).strip();
            }
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "";
        }
    }
}
