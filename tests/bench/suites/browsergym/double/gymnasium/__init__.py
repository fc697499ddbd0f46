"""What the script uses of Gymnasium."""

registry = {}


def make(id, disable_env_checker, **options):
    assert disable_env_checker
    return registry[id](**options)
