"""The names of what a model is built for."""

from ossia_core.plugins.api_table import public


@public("contrib.learn.ModeKeys")
class ModeKeys:
    """Training, evaluation and inference, as the first estimators called them."""

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"

    @classmethod
    def validate(cls, key: str) -> None:
        """Checks that a mode is one of these.

        Raises:
          ValueError: it is not.
        """
        if key not in (cls.TRAIN, cls.EVAL, cls.INFER):
            raise ValueError(f"Invalid mode {key}.")
