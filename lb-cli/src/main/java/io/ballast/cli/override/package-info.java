/** The commands about external overrides, and the explanation of a backend's state. */
@NullMarked
package io.ballast.cli.override;

import org.jspecify.annotations.NullMarked;
