@NullMarked
package io.ballast.config.shared;

import org.jspecify.annotations.NullMarked;
