package io.ballast.server.config;

import io.ballast.core.config.BallastConfig;
import io.ballast.server.config.form.Forms;
import io.ballast.server.config.yaml.Problem;
import java.nio.file.Path;
import java.util.List;

/**
 * A configuration without errors.
 *
 * @param config what it says
 * @param warnings what is accepted but not as the user may think
 * @param files every file it was read from as an absolute path, links not followed, the main one first
 */
public record LoadedConfig(BallastConfig config, List<Problem> warnings, List<Path> files) {

    public LoadedConfig {
        warnings = List.copyOf(warnings);
        files = List.copyOf(files);
    }

    /** Returns it as a file in long form with every default filled in. */
    public String explain() {
        return Forms.print(config);
    }
}
