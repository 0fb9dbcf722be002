package io.ballast.config.load;

import io.ballast.config.BallastConfig;
import io.ballast.config.form.Forms;
import io.ballast.config.yaml.Problem;
import java.util.List;

/**
 * A configuration without errors.
 *
 * @param config the configuration
 * @param warnings settings that are accepted but probably not intended
 * @param sources the files that were read
 * @param inputs everything from which the configuration was read
 */
public record LoadedConfig(BallastConfig config, List<Problem> warnings, Sources sources, ReadInputs inputs) {

    public LoadedConfig {
        warnings = List.copyOf(warnings);
    }

    /** Returns the configuration as a file in long form with every default filled in. */
    public String explain() {
        return Forms.print(config);
    }
}
