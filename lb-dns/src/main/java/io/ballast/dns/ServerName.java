package io.ballast.dns;

import io.ballast.dns.config.DnsConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Resolves the configured server name for identity queries. */
final class ServerName {

    /** The file with the host name in Linux. Reading it needs no name lookup, which could block. */
    private static final Path KERNEL_HOST_NAME_FILE = Path.of("/proc/sys/kernel/hostname");

    private ServerName() {}

    /** The configured name, or the host name; empty if neither is available. */
    static String of(Optional<String> configured) {
        return configured
                .map(name -> name.equals(DnsConfig.HOST_NAME) ? ofMachine() : name)
                .orElse("");
    }

    private static String ofMachine() {
        try {
            if (Files.isReadable(KERNEL_HOST_NAME_FILE)) {
                return Files.readString(KERNEL_HOST_NAME_FILE, StandardCharsets.US_ASCII)
                        .strip();
            }
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "";
        }
    }
}
