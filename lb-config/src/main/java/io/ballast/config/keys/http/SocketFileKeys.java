package io.ballast.config.keys.http;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.core.Checks;
import io.ballast.net.config.SocketFile;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipalLookupService;

/** The keys of {@code listeners[].socket}. */
final class SocketFileKeys {

    private static final String NAME = "[!-~]{1,64}";
    private static final String EXPECTED_MODE = "permissions in octal, such as 0660";
    private static final int OCTAL = 8;

    private static final ShapeBuilder<SocketFile> KEYS = Shape.named(
            "socket", "Owner and permissions of a Unix socket file. Users with write permission may connect.");

    private static final Key<Integer> MODE = KEYS.optional(
            "mode",
            Scalars.matchingOrNumber("octal mode", EXPECTED_MODE, "0?[0-7]{3}")
                    .map(text -> Integer.parseInt(text, OCTAL), SocketFileKeys::octal),
            "permissions of the socket file; according to the umask by default",
            SocketFile::mode);
    private static final Key<String> OWNER = KEYS.optional(
            "owner",
            Scalars.matchingOrNumber("user", "a user name or numeric user ID", NAME)
                    .map(SocketFileKeys::user, owner -> owner),
            "owner of the socket file; the user of the process by default",
            SocketFile::owner);
    private static final Key<String> GROUP = KEYS.optional(
            "group",
            Scalars.matchingOrNumber("group", "a group name or numeric group ID", NAME)
                    .map(SocketFileKeys::group, group -> group),
            "group of the socket file; the group of the process by default",
            SocketFile::group);

    static final Type<SocketFile> SOCKET =
            KEYS.build(values -> new SocketFile(values.find(MODE), values.find(OWNER), values.find(GROUP)));

    private SocketFileKeys() {}

    private static String octal(int mode) {
        return String.format("%04o", mode);
    }

    private static String user(String name) {
        Checks.that(
                isKnown(names -> names.lookupPrincipalByName(name)), "owner", name, "an existing user of this system");
        return name;
    }

    private static String group(String name) {
        Checks.that(
                isKnown(names -> names.lookupPrincipalByGroupName(name)),
                "group",
                name,
                "an existing group of this system");
        return name;
    }

    private static boolean isKnown(LookUp lookUp) {
        try {
            lookUp.lookUp(FileSystems.getDefault().getUserPrincipalLookupService());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @FunctionalInterface
    private interface LookUp {
        Object lookUp(UserPrincipalLookupService names) throws IOException;
    }
}
