package io.ballast.cli.cluster;

import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a command: numbers are versions, and another argument is a configuration file. Immutable.
 *
 * @param config the file with the address of the dashboard
 */
record VersionArguments(List<Long> versions, Path config) {

    static VersionArguments of(String @Nullable [] arguments) {
        List<Long> versions = new ArrayList<>();
        Path config = Path.of(DashboardOptions.CONFIG);
        for (String argument : arguments == null ? new String[0] : arguments) {
            if (argument.matches("[0-9]{1,15}")) {
                versions.add(Long.valueOf(argument));
            } else {
                config = Path.of(argument);
            }
        }
        return new VersionArguments(List.copyOf(versions), config);
    }

    /** @throws IllegalArgumentException if there are more than {@code max} versions */
    void requireVersions(int max) {
        if (versions.size() > max) {
            throw new IllegalArgumentException(
                    "versions: " + versions.size() + " numbers (expected: at most " + max + ")");
        }
    }
}
