package io.ballast.config.load;

import io.ballast.config.BallastConfig;
import io.ballast.config.form.Forms;
import io.ballast.config.shared.SharedVersion;
import io.ballast.config.yaml.Problem;
import java.util.List;
import java.util.Optional;

/**
 * A configuration without errors.
 *
 * @param config the configuration
 * @param warnings settings that are accepted but probably not intended
 * @param sources the files that were read
 * @param inputs everything from which the configuration was read
 * @param version the version of the cluster's configuration; empty if the configuration comes from the node's own file
 */
public record LoadedConfig(
        BallastConfig config,
        List<Problem> warnings,
        Sources sources,
        ReadInputs inputs,
        Optional<SharedVersion> version) {

    public LoadedConfig {
        warnings = List.copyOf(warnings);
    }

    /** Returns the configuration as a file in long form with every default filled in. */
    public String explain() {
        return Forms.print(config);
    }
}
